// The client loads these modules when it first needs them. This file loads them before the first test. Without this
// file, the code that runs while they load would count as reached by one test only.
import '../../src/http/fetch-transport.js';
import '../../src/http/node-transport.js';
import '../../src/operations/multipart.js';
