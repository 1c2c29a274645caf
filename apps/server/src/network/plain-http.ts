import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'

/**
 * What travels unencrypted in production: passwords and sessions at the console, recipients' data on the public pages.
 * Empty when both are behind https, or lead nowhere but to this machine.
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

/** The address by which programs on this machine reach a server that listens on `host`. */
export function localAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '::1'
  return host
}

/** The same with a port, as an origin of http. */
export function localOrigin(host: string, port: number): string {
  const address = localAddress(host)
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** To this machine, whoever follows it. */
function leadsHere(url: string): boolean {
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)
}

function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}
