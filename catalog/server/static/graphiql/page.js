"use strict";
// Starts GraphiQL. The endpoint is the page's own address, so it works behind any proxy and sub-path.
(() => {
  const config = JSON.parse(document.getElementById("catalog-config").textContent);
  const url = location.origin + location.pathname;
  const send = GraphiQL.createFetcher({ url, subscriptionUrl: url.replace(/^http/, "ws") });
  const element = React.createElement;

  // GraphiQL finds the operation's name and kind a moment after typing; run at once, it would send the old ones.
  function fetcher(request, options) {
    const name = request.operationName;
    if (!name || new RegExp(`\\b(query|mutation|subscription)\\s+${name}\\b`).test(request.query)) {
      return send(request, options);
    }
    const operation = /^\s*subscription\b/m.test(request.query) ? "subscription" : "query";
    const documentAST = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation }] };
    return send({ ...request, operationName: undefined }, { ...options, documentAST });
  }

  // The examples, grouped by the question they answer. Each is a link to this page, so it can be shared.
  const link = (href, text) => element("a", { href }, text);
  const example = ({ name, title }) => element("li", { key: name }, link(`?example=${name}`, title));
  const question = ({ title, page, examples }) => element(
    "section", { key: title },
    element("h3", null, title),
    element("ul", null, examples.map(example)),
    element("p", null, "More in ", element("code", null, `docs/${page}`), "."),
  );
  const examples = {
    title: "Examples",
    icon: () => element("svg", { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", strokeWidth: 1.5 },
      element("path", { d: "M4 5h16M4 10h16M4 15h10M4 20h10" })),
    content: () => element(
      "div", { className: "catalog-examples" },
      element("h2", null, "Examples"),
      config.questions.map(question),
      element("h3", null, "Elsewhere on this server"),
      element("ul", null,
        element("li", null, link("./", "What the catalog holds, and how to ask it")),
        element("li", null, link("schema.graphql", "The schema as text"))),
    ),
  };

  const all = config.questions.flatMap(({ examples }) => examples);
  const parameters = new URLSearchParams(location.search);
  const linked = parameters.has("query")
    ? { query: parameters.get("query"), variables: parameters.get("variables") ?? "" }
    : all.find(({ name }) => name === parameters.get("example"));
  const first = linked ?? all[0];
  const properties = {
    fetcher,
    plugins: [examples],
    defaultEditorToolsVisibility: "variables",
    inputValueDeprecation: true,
  };
  if (linked || (first && localStorage.getItem("graphiql:tabState") === null)) {
    Object.assign(properties, { query: first.query, variables: first.variables });
  }
  if (localStorage.getItem("catalog:visited") === null) {
    properties.visiblePlugin = examples; // afterwards the pane is as it was left
    localStorage.setItem("catalog:visited", "yes");
  }
  const logo = element(GraphiQL.Logo, null, element("a", { className: "catalog-logo", href: "./" }, "Kernel Catalog"));
  ReactDOM.createRoot(document.getElementById("graphiql")).render(element(GraphiQL, properties, logo));
})();
