import type { KeyObject } from 'node:crypto'
import { tokenKey } from '@emma/mail/token.ts'
import type { Config } from './config.ts'

/** Returns the key that signs the tokens of links and return paths, for engine, tracking and inbound. */
export function mailTokenKey(config: Pick<Config, 'deriveKey'>): KeyObject {
  return tokenKey(config.deriveKey('mail token'))
}
