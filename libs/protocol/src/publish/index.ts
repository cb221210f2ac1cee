export { contractPage, errorsPage } from './markdown.js';
export type { Json } from './plain.js';
export { contractFiles, currentSignature, published, schemaDocument } from './schema-document.js';
export { breaks, type Published, type Signature, signatureOf } from './signature.js';
