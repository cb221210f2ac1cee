export { contractPage, errorsPage } from './markdown.js';
export { contractFiles, currentSignature, type Json, published, schemaDocument } from './schema-document.js';
export { breaks, type Published, type Signature, signatureOf } from './signature.js';
