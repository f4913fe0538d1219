/**
 * @generated SignedSource<<b90c2f258e440ad6210f3a12393e9972>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type EvidenceLevel = "REPLICATED" | "REPORTED" | "REPRODUCIBLE" | "VERIFIED" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type Run_run$data = {
  readonly digest: string;
  readonly evidenceLevel: EvidenceLevel | null | undefined;
  readonly id: string;
  readonly primary: {
    readonly unit: string;
    readonly value: number;
  } | null | undefined;
  readonly standing: {
    readonly reasons: ReadonlyArray<string>;
  };
  readonly submittedAs: {
    readonly title: string | null | undefined;
  } | null | undefined;
  readonly " $fragmentType": "Run_run";
};
export type Run_run$key = {
  readonly " $data"?: Run_run$data;
  readonly " $fragmentSpreads": FragmentRefs<"Run_run">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": {
    "refetch": {
      "connection": null,
      "fragmentPathInResult": [
        "node"
      ],
      "operation": require('./RunRefetchQuery.graphql'),
      "identifierInfo": {
        "identifierField": "id",
        "identifierQueryVariableName": "id"
      }
    }
  },
  "name": "Run_run",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "digest",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "evidenceLevel",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "BenchmarkMeasurement",
      "kind": "LinkedField",
      "name": "primary",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "value",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "unit",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "SubmittedName",
      "kind": "LinkedField",
      "name": "submittedAs",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "title",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "RunStanding",
      "kind": "LinkedField",
      "name": "standing",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "reasons",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    }
  ],
  "type": "BenchmarkRun",
  "abstractKey": null
};

(node as any).hash = "8f1220075afb91681bfb98f76d4475c4";

export default node;
