import { createDb, createPool } from '@emma/db/connection.ts'
import { createApi } from '@emma/server/http/create-api.ts'
import { loadConfig } from '@emma/server/config.ts'
import { createLogger } from '@emma/server/logger.ts'
import fastify, { type FastifyInstance } from 'fastify'

/** Process of bench/transactional.ts: `transactional-server.ts KIND URL FOLDER PORT`; sends its port when it listens. */
const [kind = 'api', url = '', folder = '', port = '0'] = process.argv.slice(2)
const pool = createPool(url, { max: 10, applicationName: 'emma bench' })

const app = kind === 'api' ? await openApi() : openInsert()
await app.listen({ port: Number(port), host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' ? address?.port : 0)
process.on('disconnect', () => process.exit())

function openApi(): Promise<FastifyInstance> {
  const config = loadConfig({
    EMMA_DATA: folder,
    EMMA_SECRET: 'a secret for benchmarks',
    DATABASE_URL: url,
    EMMA_ADDRESS_CALLS_PER_MINUTE: '100000000',
  })
  return createApi({ config, db: createDb(pool), pool, logger: createLogger('api', 'silent') })
}

/** Inserts the row that the API inserts, without any check. */
function openInsert(): FastifyInstance {
  const bare = fastify()
  bare.post('/*', async (request, reply) => {
    const { email, data } = request.body as { email: string; data: object }
    const { rows } = await pool.query<{ id: number }>(
      `insert into transactional_mail (client_id, transactional_id, email, data) values (1, 1, $1, $2)
      returning mail_id as id`,
      [email, JSON.stringify(data)],
    )
    return reply.status(202).send({ message_id: rows[0]?.id, is_repeated: false })
  })
  return bare
}
