import type { FastifyInstance } from 'fastify'

/** Accepts a token as the password of Basic authentication, for tools that support nothing else. */
export function acceptBasicToken(scope: FastifyInstance): void {
  scope.addHook('onRequest', async request => {
    const password = /^Basic\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (password === undefined) return
    const [, token = ''] = Buffer.from(password, 'base64').toString().split(':', 2)
    request.headers.authorization = `Bearer ${token}`
  })
}
