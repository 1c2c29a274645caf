import { z } from 'zod'
import { isConsolePath } from '../console-path.ts'
import { defineAction } from '../define-action.ts'
import { flag, id, line, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * The notification service (R290, T22): every response is text, JSON in its content and `text/plain` in its type. A
 * list starts with `[`, everything else with `{`; error responses are plain text.
 */

export const notificationKinds = ['success', 'info', 'warning', 'danger'] as const

/** A notification as the requesting user sees it. */
export const notification = z.looseObject({
  id,
  client_id: id,
  kind: z.enum(notificationKinds),
  code: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  text: z.string(),
  path: z.string().nullable(),
  created_at: z.string(),
  read_at: z.string().nullable(),
})

export type StoredNotification = z.infer<typeof notification>

export const notificationCount = z.object({ unread: z.int(), total: z.int() })

const nothing = z.object({})
const pathId = z.coerce.number().int().positive()

const filters = {
  unread: flag.optional(),
  kind: z.enum(notificationKinds).optional(),
  search: text(255).optional(),
  /** A client other than the active one. */
  client_id: z.coerce.number().int().positive().optional(),
}

/** Newest first. */
export const listNotifications = defineAction({
  name: 'listNotifications',
  area: 'platform',
  paths: ['/notification/'],
  permission: null,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1000).default(50),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    ...filters,
  }),
  response: z.string(),
  answer: 'text',
})

/** Number of notifications, and of unread ones. */
export const countNotifications = defineAction({
  ...listNotifications,
  name: 'countNotifications',
  paths: ['/notification:count'],
  query: z.object(filters),
})

/** Adds a notification: for one user of the client, or all. */
export const createNotification = defineAction({
  ...listNotifications,
  name: 'createNotification',
  method: 'POST',
  permission: 'Notification:post',
  query: nothing,
  body: z.strictObject({
    kind: z.enum(notificationKinds).default('info'),
    text: line(1000).trim().min(1, checkFault('field.empty')),
    /** A path of the console. */
    path: line(500).refine(isConsolePath, checkFault('field.console_path')).nullish(),
    user_id: id.nullish(),
    client_id: id.nullish(),
  }),
  status: 201,
})

export const findNotification = defineAction({
  ...listNotifications,
  name: 'findNotification',
  paths: ['/notification/{id}'],
  params: z.object({ id: pathId }),
  query: nothing,
})

/** Removes a notification from the user's list only. Returns it. */
export const removeNotification = defineAction({
  ...findNotification,
  name: 'removeNotification',
  method: 'DELETE',
})

/** Marks the given notifications, or all, as read. */
export const readNotifications = defineAction({
  ...listNotifications,
  name: 'readNotifications',
  method: 'POST',
  paths: ['/notification:read'],
  query: nothing,
  body: z.strictObject({ ids: z.array(id).max(1000).optional(), client_id: id.nullish() }).nullish(),
})

/** Removes all notifications from the user's list. */
export const clearNotifications = defineAction({
  ...readNotifications,
  name: 'clearNotifications',
  paths: ['/notification:clear'],
})
