// The client loads these modules when it first needs them. This file loads them before the first test, so that the
// code which runs while these modules load does not count as reached by one test.
import '../../src/http/fetch-transport.js';
import '../../src/http/node-transport.js';
import '../../src/operations/multipart.js';
