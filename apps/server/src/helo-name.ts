import { hostname } from 'node:os'

/** Returns the HELO name of this machine: its host name, reduced to what EHLO allows. */
export function heloName(): string {
  return hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-') || 'localhost'
}
