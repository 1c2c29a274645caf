import type { Action } from '@emma/contract/define-action.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { z } from 'zod'
import type { ApiError } from './api-error.ts'
import type { PathParams } from './fill-endpoint.ts'
import type { ListQuery } from './list-query.ts'
import type { LoadingCounter } from './loading-counter.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Replaced } from './session.ts'
import type { UploadInput } from './upload-file.ts'

export interface EmmaClient {
  /** Reads one page of a resource. */
  list<R extends Resource>(resource: R, query?: ListQuery, options?: ReadOptions): Promise<Page<RecordOf<R>>>
  /** Reads every row, in pages of 50. */
  listAll<R extends Resource>(resource: R, query?: ListQuery, options?: ReadOptions): Promise<RecordOf<R>[]>
  find<R extends Resource>(
    resource: R,
    id: Id,
    query?: SingleQuery,
    options?: ReadOptions,
  ): Promise<RecordOf<R>>
  create<R extends Resource>(resource: R, values: Values<R>, options?: WriteOptions): Promise<RecordOf<R>>
  /** Changes the given fields; `revision` is the one that was read (R163). */
  patch<R extends Resource>(
    resource: R,
    id: Id,
    values: Values<R>,
    options?: WriteOptions,
  ): Promise<RecordOf<R>>
  /** Writes the whole record: missing fields are reset (T18). */
  replace<R extends Resource>(
    resource: R,
    id: Id,
    values: Values<R>,
    options?: WriteOptions,
  ): Promise<RecordOf<R>>
  /** Deletes one, or several in parallel; returns a result for each. */
  remove(resource: Resource, ids: Id | readonly Id[], options?: WriteOptions): Promise<Removal[]>
  /** Undoes a recent deletion. @throws ApiError, for instance if its name was used meanwhile */
  restore<R extends Resource>(resource: R, id: Id, options?: WriteOptions): Promise<RecordOf<R>>
  /** Dry run: returns whether it could be deleted, and otherwise what refers to it. */
  testRemove(resource: Resource, id: Id, options?: WriteOptions): Promise<Deletable>
  /** Calls an action of the contract. */
  call<A extends Action>(action: A, ...input: InputArguments<A>): Promise<z.output<A['response']>>
  /** Calls an action that replaces the session's token; the session continues with the new one. */
  callForToken<A extends TokenAction>(
    action: A,
    ...input: InputArguments<A>
  ): Promise<Replaced<z.output<A['response']>>>
  /** Calls an action that returns a file. @throws ApiError `Error retrieving file` */
  file<A extends Action>(action: A, ...input: InputArguments<A>): Promise<Blob>
  /** Sends multipart: the file gzip-compressed as part `file`, every other part as JSON (R162). */
  upload<A extends Action>(action: A, input: UploadInput): Promise<z.output<A['response']>>
  cache: ResponseCache
  loading: LoadingCounter
}

/** An action whose response contains another login token. */
export type TokenAction = Action<z.ZodType, z.ZodType, z.ZodType, z.ZodType<{ token: string }>>

export interface ReadOptions {
  params?: PathParams
  signal?: AbortSignal | undefined
  /** Bypasses the cache: polling, refresh. */
  ignoreCache?: boolean | undefined
}

/** Options of a single read (R157). */
export interface SingleQuery {
  included?: readonly string[]
  email?: string
  end_date?: string
  secret?: string
  start_date?: string
  test?: boolean
  unsub?: boolean
}

export interface Pagination {
  limit: number
  offset: number
  total: number
}

export interface Page<T> {
  data: T[]
  pagination: Pagination
}

/** Records as received: the resource's fields, the common ones, and merged `included` records. */
export type RecordOf<R extends Resource> = Row<R> & { [included: string]: unknown }

/** Response of DELETE ?test (T17). */
export interface Deletable {
  deletable: boolean
  references: unknown[]
}

export type Id = number | string
export type Values<R extends Resource> = { [F in keyof Row<R>]?: Row<R>[F] | null }
export type WriteOptions = { revision?: number; params?: PathParams; signal?: AbortSignal }
export type Removal = { id: Id; error?: ApiError }

/** Input of an action; parts that may be empty are optional. */
export type ActionInput<A extends Action> = Part<'params', OwnClient<z.input<A['params']>>> &
  Part<'query', z.input<A['query']>> &
  Part<'body', z.input<A['body']>> & {
    signal?: AbortSignal | undefined
    ignoreCache?: boolean | undefined
    /** Is sent although the page is being closed. For small bodies. */
    keepalive?: boolean | undefined
    revision?: number
  }

/** The client is only needed if it is not the active one. */
type OwnClient<Params> = Params extends { client_id: unknown }
  ? Omit<Params, 'client_id'> & { client_id?: Params['client_id'] }
  : Params

type Part<Name extends string, Input> =
  MayBeLeftOut<Input> extends true ? { [key in Name]?: Input } : { [key in Name]: Input }
type MayBeLeftOut<Input> = [Input] extends [never]
  ? true
  : undefined extends Input
    ? true
    : null extends Input
      ? true
      : Record<never, never> extends Input
        ? true
        : false
export type InputArguments<A extends Action> =
  Record<never, never> extends ActionInput<A> ? [input?: ActionInput<A>] : [input: ActionInput<A>]
