import {
  clearNotifications,
  countNotifications,
  createNotification,
  findNotification,
  listNotifications,
  notification,
  notificationCount,
  readNotifications,
  removeNotification,
  type StoredNotification,
} from '@emma/contract/actions/notifications.ts'
import type { z } from 'zod'
import type { EmmaClient } from './emma-client.ts'

export interface NotificationService {
  find(query?: z.input<typeof listNotifications.query>, signal?: AbortSignal): Promise<StoredNotification[]>
  count(query?: z.input<typeof countNotifications.query>, signal?: AbortSignal): Promise<Count>
  findOne(id: number): Promise<StoredNotification>
  create(values: z.input<typeof createNotification.body>): Promise<StoredNotification>
  delete(id: number): Promise<StoredNotification>
  /** Marks as read: the given ones, or all. Returns the remaining count. */
  read(ids?: number[]): Promise<Count>
  clear(): Promise<Count>
}

type Count = z.infer<typeof notificationCount>

/**
 * Creates the client of the notification service, whose responses are text (R290): a list must begin with `[`, an
 * object with `{`. Anything else is thrown unchanged.
 */
export function createNotificationService(api: Pick<EmmaClient, 'call'>): NotificationService {
  const fresh = { ignoreCache: true }
  return {
    async find(query = {}, signal) {
      return notification
        .array()
        .parse(parseText(await api.call(listNotifications, { query, signal, ...fresh }), '['))
    },
    async count(query = {}, signal) {
      return countOf(await api.call(countNotifications, { query, signal, ...fresh }))
    },
    async findOne(id) {
      return one(await api.call(findNotification, { params: { id }, ...fresh }))
    },
    create: async body => one(await api.call(createNotification, { body })),
    delete: async id => one(await api.call(removeNotification, { params: { id } })),
    read: async ids => countOf(await api.call(readNotifications, { body: ids ? { ids } : {} })),
    clear: async () => countOf(await api.call(clearNotifications, { body: {} })),
  }
}

function one(text: string): StoredNotification {
  return notification.parse(parseText(text, '{'))
}

function countOf(text: string): Count {
  return notificationCount.parse(parseText(text, '{'))
}

function parseText(text: string, first: '[' | '{'): unknown {
  if (!text.startsWith(first)) throw new Error(text)
  return JSON.parse(text)
}
