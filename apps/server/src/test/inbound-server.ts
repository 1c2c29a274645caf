import type { TestDatabase } from '@emma/db/test/database.ts'
import { TEST_TOKEN_KEY } from '@emma/delivery/test/engine.ts'
import { pino } from 'pino'
import { type InboundOptions, type InboundServer, startInboundServer } from '../inbound/inbound-server.ts'
import { trustLoopback } from '../network/trusted-proxies.ts'

/** Inbound SMTP server on a free port. Verifies tokens with `TEST_TOKEN_KEY`; resolves no DNS by default. */
export function startTestInbound(
  { db, pool }: TestDatabase,
  given: Partial<InboundOptions> = {},
): Promise<InboundServer> {
  return startInboundServer(
    { db, pool, tokenKey: TEST_TOKEN_KEY },
    {
      host: '127.0.0.1',
      port: 0,
      isTrustedProxy: trustLoopback,
      resolveTxt: () => Promise.resolve([]),
      ...given,
    },
    pino({ level: 'silent' }),
  )
}
