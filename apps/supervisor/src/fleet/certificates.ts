import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writePrivateText } from '../adapters/json-file.js';

/** For twenty years, and for one. */
const AUTHORITY_BITS = 3072;
const SERVER_BITS = 2048;
const DAY_MS = 86_400_000;
/** Every credentials file holds it, so it must outlive them all. */
const AUTHORITY_DAYS = 20 * 365;
/** Made anew by itself, so there is no reason for more. */
const SERVER_DAYS = 397;
const RENEW_DAYS = 30;
/** Clocks of machines differ. */
const BACKDATE_MS = DAY_MS;
const SERIAL_BYTES = 16;

export interface ServerCertificate {
  /** Paths. */
  readonly certificate: string;
  readonly key: string;
  /** PEM of the authority, by which others recognise us. */
  readonly ca: string;
  /** Whether it was made just now. */
  readonly isNew: boolean;
}

/**
 * The yard's own authority, made once, which signs nothing but the certificate of the fleet broker; and that certificate,
 * made anew when it is for other names or nears its end.
 *
 * @param dir private folder
 * @param names DNS names and addresses
 */
export async function serverCertificate(dir: string, names: readonly string[]): Promise<ServerCertificate> {
  const files = { ca: join(dir, 'ca.pem'), caKey: join(dir, 'ca.key') };
  const server = { certificate: join(dir, 'server.pem'), key: join(dir, 'server.key') };
  if (!existsSync(files.ca)) await makeAuthority(files);
  const ca = readFileSync(files.ca, 'utf8');
  const isNew = !isGood(server, ca, names);
  if (isNew) await makeServer(server, ca, readFileSync(files.caKey, 'utf8'), names);
  return { ...server, ca, isNew };
}

async function makeAuthority(files: { ca: string; caKey: string }): Promise<void> {
  const { pki, md } = await loadForge();
  const key = await makeKey(AUTHORITY_BITS);
  const cert = blank(pki, publicOf(pki, key), AUTHORITY_DAYS);
  const name = [{ name: 'commonName', value: 'Switchyard fleet' }];
  cert.setSubject(name);
  cert.setIssuer(name);
  cert.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  cert.sign(pki.privateKeyFromPem(pkcs1(key)), md.sha256.create());
  // The certificate last: it is what says that both are there.
  writePrivateText(files.caKey, key);
  writePrivateText(files.ca, unix(pki.certificateToPem(cert)));
}

async function makeServer(
  files: { certificate: string; key: string },
  ca: string,
  caKey: string,
  names: readonly string[],
): Promise<void> {
  const { pki, md } = await loadForge();
  const key = await makeKey(SERVER_BITS);
  const authority = pki.certificateFromPem(ca);
  const cert = blank(pki, publicOf(pki, key), SERVER_DAYS);
  cert.setSubject([{ name: 'commonName', value: 'Switchyard fleet broker' }]);
  cert.setIssuer(authority.subject.attributes);
  cert.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
    },
    { name: 'authorityKeyIdentifier', keyIdentifier: authority.generateSubjectKeyIdentifier().getBytes() },
  ]);
  cert.sign(pki.privateKeyFromPem(pkcs1(caKey)), md.sha256.create());
  writePrivateText(files.key, key);
  writePrivateText(files.certificate, unix(pki.certificateToPem(cert)));
}

/** Whether the certificate that is there is ours, for exactly these names, and for some time to come. */
function isGood(files: { certificate: string; key: string }, ca: string, names: readonly string[]): boolean {
  if (!existsSync(files.certificate) || !existsSync(files.key)) return false;
  const cert = new X509Certificate(readFileSync(files.certificate));
  const authority = new X509Certificate(ca);
  // A key of another certificate: it was being written when the machine went down.
  if (!cert.checkPrivateKey(createPrivateKey(readFileSync(files.key)))) return false;
  const isFor = (name: string) => (isIP(name) === 0 ? cert.checkHost(name) : cert.checkIP(name)) !== undefined;
  const count = cert.subjectAltName?.split(', ').length;
  const endsSoon = Date.parse(cert.validTo) - Date.now() < RENEW_DAYS * DAY_MS;
  return cert.verify(authority.publicKey) && count === names.length && names.every(isFor) && !endsSoon;
}

type Forge = typeof import('node-forge');
type Pki = Forge['pki'];

/** Only a yard with a fleet needs it, and only to make a certificate; it takes a tenth of a second to load. */
async function loadForge(): Promise<Forge> {
  return (await import('node-forge')).default;
}

function blank(pki: Pki, publicKey: ReturnType<Pki['publicKeyFromPem']>, days: number) {
  const cert = pki.createCertificate();
  cert.publicKey = publicKey;
  // Positive, as a serial number must be.
  cert.serialNumber = `00${randomBytes(SERIAL_BYTES).toString('hex')}`;
  cert.validity.notBefore = new Date(Date.now() - BACKDATE_MS);
  cert.validity.notAfter = new Date(Date.now() + days * DAY_MS);
  return cert;
}

/** The system makes keys much faster than the library. */
async function makeKey(bits: number): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: bits });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function publicOf(pki: Pki, key: string) {
  const { n, e } = pki.privateKeyFromPem(pkcs1(key));
  return pki.setRsaPublicKey(n, e);
}

const pkcs1 = (key: string) => createPrivateKey(key).export({ type: 'pkcs1', format: 'pem' }).toString();
const unix = (text: string) => text.replaceAll('\r\n', '\n');
