"use strict";
// Starts GraphiQL. The endpoint is the page's own address, so it works behind any proxy and sub-path.
(() => {
  const config = JSON.parse(document.getElementById("catalog-config").textContent);
  const send = GraphiQL.createFetcher({ url: location.origin + location.pathname });
  const element = React.createElement;

  // GraphiQL finds the operation's name a moment after typing; run at once, it would still send the old one.
  function fetcher(request, options) {
    const name = request.operationName;
    const known = !name || new RegExp(`\\b(query|mutation|subscription)\\s+${name}\\b`).test(request.query);
    return send(known ? request : { ...request, operationName: undefined }, options);
  }

  const parameters = new URLSearchParams(location.search);
  const linked = parameters.has("query")
    ? { query: parameters.get("query"), variables: parameters.get("variables") ?? "" }
    : null;
  const tabs = linked ? [linked, ...config.tabs] : config.tabs;
  const properties = { fetcher, defaultEditorToolsVisibility: "variables", inputValueDeprecation: true };
  if (tabs.length) properties.defaultTabs = tabs;
  if (linked) {
    Object.assign(properties, linked);
  } else if (tabs.length && localStorage.getItem("graphiql:tabState") === null) {
    properties.variables = tabs[0].variables; // GraphiQL takes the first tab's query from defaultTabs, not its variables
  }
  const logo = element(GraphiQL.Logo, null, element("span", { className: "catalog-logo" }, "Kernel Catalog"));
  ReactDOM.createRoot(document.getElementById("graphiql")).render(element(GraphiQL, properties, logo));
})();
