// DuckDB in a worker that reaches nothing: what a query asks of the network is refused.
"use strict";
const check = (address) => {
  if (!String(address).startsWith("blob:")) throw new Error(`out of reach: ${address}`);
};
const open = XMLHttpRequest.prototype.open;
XMLHttpRequest.prototype.open = function (method, address, ...how) {
  check(address);
  return open.call(this, method, address, ...how);
};
const ask = self.fetch;
self.fetch = (request, ...how) => {
  check(request.url ?? request);
  return ask(request, ...how);
};
for (const name of ["WebSocket", "EventSource", "Worker", "BroadcastChannel"]) self[name] = undefined;
importScripts("duckdb-worker.js");
