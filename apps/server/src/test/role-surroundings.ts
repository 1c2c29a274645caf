import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import type { Pool } from '@emma/db/connection.ts'
import { createTestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import { signToken, type TokenPurpose } from '@emma/mail/token.ts'
import { freePort } from '@emma/testbed/test/free-port.ts'
import { type Config, loadConfig } from '../config.ts'
import { mailTokenKey } from '../mail-token-key.ts'

/** Environment of a role under test: a database with a campaign sent to Ann, and a recent engine heartbeat. */
export interface RoleSurroundings {
  folder: string
  pool: Pool
  environment: Record<string, string>
  config: Config
  /** Port of the role. */
  port: number
  /** Token of the email to Ann. */
  tokenOf: (purpose: TokenPurpose) => string
  close(): Promise<void>
}

/** @param portName environment variable of the role's port, such as `EMMA_TRACKING_PORT` */
export async function openRoleSurroundings(
  portName: string,
  given: Record<string, string> = {},
): Promise<RoleSurroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-role-'))
  const database = await createTestDatabase()
  const { db, pool } = database
  const port = await freePort()
  const environment = {
    EMMA_DATA: folder,
    EMMA_SECRET: 'a secret of this test',
    DATABASE_URL: database.url,
    [portName]: String(port),
    LOG_LEVEL: 'silent',
    ...given,
  }
  const campaign = await addCampaign(await createTestTenant(db, ['ann@gmx.test']))
  await expandCampaign(db, campaign, testExpansion)
  await pool.query(
    `insert into role_heartbeat (node, role, pid, seen_at) values ('test', 'engine', 1, now() + interval '1 hour')`,
  )
  const config = loadConfig(environment)
  const key = mailTokenKey(config)
  return {
    folder,
    pool,
    environment,
    config,
    port,
    tokenOf: purpose => signToken(key, { kind: 'campaign', ...campaign, memberId: 1 }, purpose),
    async close() {
      rmSync(folder, { recursive: true })
      await database.drop()
    },
  }
}
