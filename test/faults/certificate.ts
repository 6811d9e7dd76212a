import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A key and its certificate, as PEM text. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** Name or IPv4 address that the certificate is for. */
  readonly host: string;
  /** Who vouches for it. Without one it vouches for itself. */
  readonly issuer?: Authority;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** Whoever signs certificates. */
export interface Authority extends Certificate {
  readonly privateKey: KeyObject;
}

// DER, as much of it as an X.509 certificate needs (X.690; RFC 5280, 4.1).

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const yes = der(0x01, Buffer.from([0xff]));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))));
}

/** GeneralizedTime: YYYYMMDDHHMMSSZ. */
function time(instant: Date): Buffer {
  return der(0x18, Buffer.from(`${instant.toISOString().slice(0, 19).replace(/\D/g, '')}Z`));
}

function subjectAltName(host: string): Buffer {
  const name = isIPv4(host)
    ? der(0x87, Buffer.from(host.split('.').map(Number)))
    : der(0x82, Buffer.from(host));
  return sequence(oid('551d11'), der(0x04, sequence(name)));
}

const isAuthority = sequence(oid('551d13'), yes, der(0x04, sequence(yes)));

interface Facts {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extension: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

function pemOf({ subject, issuer, publicKey, signingKey, extension, notBefore, notAfter }: Facts): string {
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1, ...randomBytes(8)]));
  const toBeSigned = sequence(
    version3,
    serial,
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(notBefore), time(notAfter)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, signingKey));
  const body = sequence(toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${body.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

const dayMs = 86_400_000;
const authorityName = 'Test authority';

function keyText(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** An authority that nobody trusts unless told to. */
export function makeAuthority(): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = pemOf({
    subject: authorityName,
    issuer: authorityName,
    publicKey,
    signingKey: privateKey,
    extension: isAuthority,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
  });
  return { privateKey, key: keyText(privateKey), cert };
}

/** A server's certificate, made for this test run and valid for a day unless told otherwise. */
export function makeCertificate({ host, issuer, notBefore, notAfter }: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = pemOf({
    subject: host,
    issuer: issuer ? authorityName : host,
    publicKey,
    signingKey: issuer ? issuer.privateKey : privateKey,
    extension: subjectAltName(host),
    notBefore: notBefore ?? new Date(Date.now() - dayMs),
    notAfter: notAfter ?? new Date(Date.now() + dayMs),
  });
  return { key: keyText(privateKey), cert };
}
