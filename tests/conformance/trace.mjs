// Reads a federated trace with Apollo's own decoder: node trace.mjs BASE64
import { Trace } from '@apollo/usage-reporting-protobuf';

const trace = Trace.decode(Buffer.from(process.argv[2], 'base64'));
console.log(JSON.stringify(Trace.toObject(trace, { longs: Number, arrays: true })));
