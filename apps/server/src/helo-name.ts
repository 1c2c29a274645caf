import { hostname } from 'node:os'

/** The name this machine greets mail servers with: what may stand in EHLO, of what it is called. */
export function heloName(): string {
  return hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-') || 'localhost'
}
