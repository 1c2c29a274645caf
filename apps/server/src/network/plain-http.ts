import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'

/**
 * Finds unencrypted traffic in production: passwords and sessions of the console, recipient data of the public pages.
 * Empty if both use https, or are local.
 */
export function findPlainHttp({
  environment,
  host,
  publicUrl,
  trackingUrl,
}: Pick<Config, 'environment' | 'host' | 'publicUrl' | 'trackingUrl'>): string[] {
  if (environment !== 'production' || isLoopback(host)) return []
  const addresses = { EMMA_PUBLIC_URL: publicUrl, EMMA_TRACKING_URL: trackingUrl }
  return Object.entries(addresses)
    .filter(([, url]) => url.startsWith('http:') && !leadsHere(url))
    .map(
      ([variable, url]) =>
        `${variable} is ${url}: plain HTTP can be read on the way. Put a proxy with TLS in front, set ${variable} to its ` +
        'https address, and EMMA_HOST to 127.0.0.1.',
    )
}

/** Returns the address by which programs on this machine reach a server that listens on `host`. */
export function localAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '::1'
  return host
}

/** The same with a port, as an http origin. */
export function localOrigin(host: string, port: number): string {
  const address = localAddress(host)
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** True if the URL always leads to this machine. */
function leadsHere(url: string): boolean {
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)
}

function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}
