import { queryKeys } from '@emma/client/query-keys.ts'
import { renderCanvas, type renderedMessage, renderUnsaved } from '@emma/contract/actions/content.ts'
import { isSame } from '@emma/ui/form/merge-versions.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { isBusy, retryBusy } from '../../../shell/resource/retry-busy.ts'
import { type Branches, decideBranches } from '../design/branches.ts'
import type { RenderedSource } from '../design/use-canvas-mail.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { faultOfWarning, faultsOfError } from './template-faults.ts'
import type { TemplateValues } from './template-values.ts'

/** Member whose data the preview uses; null for sample data. */
export interface Viewer {
  memberId: number
  memberTableId: number
}

/**
 * Debounce of the rendering in ms: for a preview beside the source, and for the canvas, which renders the first change
 * at once.
 */
export const pauses = { preview: 400, canvas: 120 }

export interface RenderingOptions {
  viewer: Viewer | null
  memberTableId: number | null
  /** Conditions taken as met or not met, for every viewer. */
  branches: Branches
}

/** Renders the current, possibly unsaved template and collects its faults. */
export function useTemplateRendering(
  messageId: number,
  values: TemplateValues,
  { viewer, memberTableId, branches }: RenderingOptions,
) {
  const client = useClientId()
  return useRendering(contentOf(values), {
    queryKey: queryKeys.action(renderUnsaved, {
      messageId,
      viewer,
      memberTableId,
      branches: [...branches],
    }),
    isMjml: values.body_mjml !== null,
    render: (draft, signal) =>
      api.call(renderUnsaved, {
        params: { client_id: client, id: messageId, member_id: viewer?.memberId ?? 0 },
        query: memberTableId === null ? {} : { member_table_id: memberTableId },
        body: decided(draft, branches),
        signal,
      }),
  })
}

/**
 * Renders the canvas of the current template: sooner than the preview with its checks, which takes longer.
 * @returns the last canvas that could be rendered, with its source; null before the first
 */
export function useTemplateCanvas(
  messageId: number,
  values: TemplateValues,
  { viewer, memberTableId, branches }: RenderingOptions,
): RenderedSource | null {
  const client = useClientId()
  const draft = useDraft(contentOf(values), pauses.canvas, { leading: true })
  const { data } = useQuery({
    queryKey: [
      ...queryKeys.action(renderCanvas, {
        canvas: messageId,
        viewer,
        memberTableId,
        branches: [...branches],
      }),
      numberOf(draft),
    ],
    queryFn: async ({ signal }) => {
      const { canvas } = await api.call(renderCanvas, {
        params: { client_id: client, id: messageId, member_id: viewer?.memberId ?? 0 },
        query: memberTableId === null ? {} : { member_table_id: memberTableId },
        body: decided(draft, branches),
        signal,
      })
      return { canvas, source: draft.body_mjml ?? draft.body_long ?? '' }
    },
    placeholderData: keepPreviousData,
    ...retryBusy,
  })
  return data ?? null
}

/**
 * The content when it has not changed for `pause` milliseconds, and with `leading` after the first change as well; an
 * equal object is no change.
 */
function useDraft<Content extends object>(
  content: Content,
  pause: number,
  options?: { leading: boolean },
): Content {
  const [current, setCurrent] = useState(content)
  const isChanged = !isSame(current, content)
  if (isChanged) setCurrent(content)
  const [draft] = useDebouncedValue(isChanged ? content : current, pause, options)
  return draft
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Number of a content in the key of its query, which is written out with each rendering of the form. */
function numberOf(content: object): number {
  const number = numbers.get(content) ?? ++lastNumber
  numbers.set(content, number)
  return number
}

function contentOf(values: TemplateValues) {
  const { subject, preheader, body_long, body_mjml, body_text, lang, charset, attachments } = values
  return { subject, preheader, body_long, body_mjml, body_text, lang, charset, attachments }
}

function decided<Draft extends Pick<TemplateValues, 'body_long' | 'body_mjml' | 'body_text'>>(
  draft: Draft,
  branches: Branches,
): Draft {
  const decide = (source: string | null) => source && decideBranches(source, branches)
  return {
    ...draft,
    body_long: decide(draft.body_long),
    body_mjml: decide(draft.body_mjml),
    body_text: decide(draft.body_text),
  }
}

/**
 * Renders content when it has not changed for `pause` milliseconds. While a rendering fails, the last successful one
 * stays.
 */
export function useRendering<Content extends object, Mail extends z.infer<typeof renderedMessage>>(
  content: Content,
  options: {
    queryKey: readonly unknown[]
    pause?: number
    isMjml: boolean
    render: (content: Content, signal: AbortSignal) => Promise<Mail>
  },
) {
  const { queryKey, pause = pauses.preview, isMjml, render } = options
  const draft = useDraft(content, pause)
  const { data, error, failureReason } = useQuery({
    queryKey: [...queryKey, numberOf(draft)],
    queryFn: ({ signal }) => render(draft, signal),
    placeholderData: keepPreviousData,
    ...retryBusy,
  })
  const faults = useMemo(
    () =>
      error ? faultsOfError(error) : (data?.warnings ?? []).map(warning => faultOfWarning(warning, isMjml)),
    [data, error, isMjml],
  )
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  return { mail: data ?? last ?? null, error, faults, isWaiting: isBusy(failureReason) && !error }
}
