import type { FastifyRequest } from 'fastify'

/** The fields of a form that was posted; empty for every other body. */
export function formOf({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
