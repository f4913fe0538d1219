// The rules of @graphql-eslint for the schema that clients see: SCHEMA=api.graphql eslint api.graphql
import graphql from '@graphql-eslint/eslint-plugin';

const rule = (name) => `@graphql-eslint/${name}`;
const everything = {
  types: true,
  rootField: true,
  FieldDefinition: true,
  InputValueDefinition: true,
  EnumValueDefinition: true,
  DirectiveDefinition: true,
};

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: process.env.SCHEMA } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      [rule('require-description')]: ['error', everything],
      [rule('no-scalar-result-type-on-mutation')]: 'error',
      [rule('require-nullable-fields-with-oneof')]: 'error',
      [rule('require-type-pattern-with-oneof')]: 'error',
      // A part of an object (an axis, a measurement) has no identity of its own.
      [rule('strict-id-in-types')]: 'off',
      // Short lists within one object are plain lists.
      [rule('relay-edge-types')]: [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: true, listTypeCanWrapOnlyEdgeType: false },
      ],
    },
  },
];
