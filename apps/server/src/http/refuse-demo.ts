import { saveUserSettings } from '@emma/contract/actions/account.ts'
import { isDemoBypass } from '@emma/contract/demo.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { demoClientId } from '@emma/contract/session.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import type { FastifyRequest } from 'fastify'
import type { Caller } from './caller.ts'

/**
 * Rejects writes in the demo, whose records are stored in the browser (T11). Calls that the console allows are
 * allowed (R307), and so is switching to another client, which ends the demo. Superadmins are exempt.
 * @throws EmmaError `not_in_demo`
 */
export function assertNotDemo(request: FastifyRequest, { actor, claims }: Caller): void {
  if (claims?.sub.superadmin ?? actor.superadmin) return
  if (actor.clientId !== demoClientId && clientOfPath(request) !== demoClientId) return
  if (isRead(request) || isBypass(request) || leavesDemo(request)) return
  throw new EmmaError('not_in_demo')
}

/**
 * Removes the demo client from an actor who is active in another client, so that its records cannot be written by
 * key.
 */
export function withoutDemo(request: FastifyRequest, { actor, claims }: Caller): Actor {
  const { clientIds } = actor
  if (clientIds === 'all' || !clientIds.includes(demoClientId) || isRead(request)) return actor
  if (isBypass(request)) return actor
  const isOwnAccount = routeName(request) === saveUserSettings.name
  if (isOwnAccount || (claims?.sub.superadmin ?? actor.superadmin)) return actor
  return { ...actor, clientIds: clientIds.filter(id => id !== demoClientId) }
}

function routeName({ routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.action?.name
}

function isRead({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config.action?.reads === true
}

function clientOfPath({ params }: FastifyRequest): number | null {
  if (typeof params !== 'object' || params === null || !('client_id' in params)) return null
  return Number(params.client_id)
}

/** By the path in the contract: that of the request contains names that users choose. */
function isBypass({ method, routeOptions }: FastifyRequest): boolean {
  const path = routeOptions.config.action?.path
  return path !== undefined && isDemoBypass(method, path)
}

function leavesDemo(request: FastifyRequest): boolean {
  if (routeName(request) !== saveUserSettings.name) return false
  const settings = saveUserSettings.body.safeParse(request.body)
  const { client_id, custom } = settings.data ?? {}
  return client_id !== undefined && client_id !== demoClientId && custom === undefined
}
