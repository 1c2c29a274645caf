import type { KeyObject } from 'node:crypto'
import { tokenKey } from '@emma/mail/token.ts'
import type { Config } from './config.ts'

/** The key that signs the tokens in links and return paths: engine, tracking and inbound must agree on it. */
export function mailTokenKey(config: Pick<Config, 'deriveKey'>): KeyObject {
  return tokenKey(config.deriveKey('mail token'))
}
