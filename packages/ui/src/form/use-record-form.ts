import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { notify } from '../feedback/notify.tsx'
import { useUiSettings } from '../ui-settings.tsx'
import { type Translate, useTranslate } from '../i18n.tsx'
import { type Draft, draftKey, readDraft, removeDraft, writeDraft } from './draft.ts'
import {
  changedFields,
  compareVersions,
  type Difference,
  type Merge,
  mergedValues,
  type MergeText,
  type Side,
} from './merge-versions.ts'
import { type MissingField, type RequiredField, isMarked, missingFields } from './missing-fields.ts'
import { errorsByField, fieldErrorsOf, isConflict } from './server-error.ts'

/** Debounce in ms of writing the draft. */
const draftDelay = 800

export interface RecordFormOptions<V extends object, R extends object> {
  /** Resource of the contract: its name and required fields. */
  resource: { name: string; required: { create: readonly string[] } }
  /** Id of the record; null for a new one. */
  recordKey: number | string | null
  /** The loaded record; null for a new one. */
  record: R | null
  /** Initial values of the form, of a record or a new one (`null`). */
  toValues: (record: R | null) => V
  /** Labels of the fields, also used in messages. */
  labels: Readonly<Partial<Record<keyof V & string, string>>>
  /** Overrides the contract's required fields, for alternatives: `['name', ['notify_email', 'notify_sms']]`. */
  required?: readonly RequiredField[]
  /** Additional validation before sending; errors by field. */
  validate?: (values: V) => Partial<Record<keyof V & string, string | null | undefined>>
  /** Saves the values; `changed` are those that differ from the record, for PATCH. */
  save: (values: V, change: { changed: Partial<V>; revision: number | undefined }) => Promise<R>
  /** Fetches the current record, bypassing every cache, after a conflict. */
  reload?: () => Promise<R>
  /**
   * Merges texts by field after a conflict. With it, a merge without conflicts is saved at once; the user is told and
   * can return to the own version.
   */
  mergeText?: Readonly<Record<string, MergeText>>
  /** Compares parts of fields after a conflict instead of whole fields. */
  mergeParts?: MergeParts<V>
  onSaved?: (record: R) => void
  /** Fields that are never written to drafts: passwords, keys. */
  secret?: readonly (keyof V & string)[]
}

/** How the values of a form are taken apart for a comparison of versions, and put together again. */
export interface MergeParts<V extends object> {
  split: (values: V) => Readonly<Record<string, unknown>>
  join: (parts: Readonly<Record<string, unknown>>) => V
  /** Labels of the parts that are no fields of the form. */
  labels: Readonly<Record<string, string>>
}

/** Binding of an input to its field. */
export interface FieldBinding {
  id: string
  name: string
  label: string
  isRequired: boolean
  error: string | undefined
  isDisabled: boolean
  value: unknown
  set: (value: unknown) => void
}

export interface FormDraft {
  at: string
  /** The record was changed after the draft was written. */
  isStale: boolean
  restore: () => void
  discard: () => void
}

export interface FormConflict {
  differences: readonly Difference[]
  /** Selects a side for a difference, or for all (null). */
  choose: (difference: Difference | null, side: Side) => void
  /** Saves the merged version; requires every difference to be decided. */
  save: () => Promise<void>
  cancel: () => void
}

export interface FormProblem {
  field: string | null
  message: string
}

export interface RecordForm<V extends object> {
  values: V
  set: <K extends keyof V & string>(field: K, value: V[K]) => void
  /** For inputs: `form.field('name')`. */
  field: (name: keyof V & string) => FieldBinding
  isNew: boolean
  isDirty: boolean
  isSaving: boolean
  /** True if anything is unsaved right now, e.g. after saving and before the next render. */
  isDirtyNow: () => boolean
  /** All errors, in the order of the labels. */
  problems: readonly FormProblem[]
  /** Number of attempts to save: the summary takes the focus at each. */
  attempts: number
  labels: Readonly<Record<string, string | undefined>>
  /** Id of a field's input. */
  idOf: (field: string) => string
  submit: () => Promise<boolean>
  reset: () => void
  draft: FormDraft | null
  conflict: FormConflict | null
}

export interface RecordRemoval {
  /** Name of the record in confirmation and message. */
  name: string
  run: () => Promise<unknown>
  /** Restores the record; offered as undo. */
  restore?: () => Promise<unknown>
  onRemoved: () => void
}

interface Saved<V, R> {
  record: R | null
  base: V
}

/** State of a record's form: values, errors, draft, conflict, saving. Rendered by `RecordForm`. */
export function useRecordForm<V extends object, R extends object>(
  options: RecordFormOptions<V, R>,
): RecordForm<V> {
  const { record, recordKey, toValues, labels } = options
  const { mergeParts = wholeFields<V>() } = options
  const t = useTranslate()
  const { errorText, faultText, storageScope } = useUiSettings()
  const formId = useId()
  const [saved, setSaved] = useState<Saved<V, R>>(() => ({ record, base: toValues(record) }))
  const [values, setValues] = useState<V>(saved.base)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [others, setOthers] = useState<readonly string[]>([])
  const [missing, setMissing] = useState<readonly MissingField[]>([])
  const [isSaving, setSaving] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const [theirs, setTheirs] = useState<{ record: R; merge: Merge } | null>(null)

  const changed = changedFields(saved.base, values)
  const isDirty = Object.keys(changed).length > 0
  const dirtyNow = useRef(isDirty)
  const valuesNow = useRef(values)
  useEffect(() => {
    dirtyNow.current = isDirty
    valuesNow.current = values
  }, [isDirty, values])

  // A newer version from outside (another tab, a refetch) is adopted while the form is unchanged. Right after saving,
  // the prop may still be the previous version: older revisions are ignored.
  if (record && !isDirty && isNewer(record, saved.record)) adopt(record)

  const shownLabels: Readonly<Record<string, string | undefined>> = { ...labels, ...mergeParts.labels }
  const required = options.required ?? options.resource.required.create
  const draft = useDraft({
    key: draftKey(options.resource.name, recordKey, storageScope),
    changed: isDirty ? withoutFields(changed, options.secret ?? []) : null,
    revision: revisionOf(saved.record) ?? null,
  })

  /** @param typed values kept on top of the record */
  function adopt(next: R | null, typed: Partial<V> = {}): void {
    const base = toValues(next)
    setSaved({ record: next, base })
    setValues({ ...base, ...typed })
  }

  function change(field: string, value: unknown): void {
    setValues(current => ({ ...current, [field]: value }))
    if (errors[field] !== undefined) setErrors(current => withoutFields(current, [field]))
    if (missing.length > 0) setMissing([])
  }

  async function submit(): Promise<boolean> {
    if (isSaving) return false
    setAttempts(count => count + 1)
    const faults = findFaults(values, required, options, t)
    setErrors(faults.fields)
    setMissing(faults.missing)
    setOthers([])
    if (Object.keys(faults.fields).length > 0) return false
    return send(values, saved)
  }

  async function send(next: V, from: Saved<V, R>): Promise<boolean> {
    setSaving(true)
    try {
      const change = { changed: changedFields(from.base, next), revision: revisionOf(from.record) }
      const answer = await options.save(next, change)
      // The response lacks values typed during the request (not every input is disabled meanwhile); they are kept. The
      // form of a new record is left after saving.
      const typed = recordKey === null ? {} : changedFields(next, valuesNow.current)
      dirtyNow.current = Object.keys(typed).length > 0
      if (!dirtyNow.current) draft.discard()
      setTheirs(null)
      adopt(answer, typed)
      options.onSaved?.(answer)
      return true
    } catch (error) {
      return await explain(error, from)
    } finally {
      setSaving(false)
    }
  }

  /** Shows why saving failed; after a conflict, merges with the saved version. Returns whether that was saved. */
  async function explain(error: unknown, from: Saved<V, R>): Promise<boolean> {
    if (isConflict(error) && options.reload) {
      const current = await options.reload().catch((reloadError: unknown) => {
        setOthers([errorText(reloadError)])
        return null
      })
      return current !== null && mergeWith(current, from)
    }
    const faults = fieldErrorsOf(error).map(fault => ({
      field: fault.field,
      message: fault.code === 'field.required' ? t('form.is_missing') : faultText(fault),
    }))
    const found = errorsByField(faults, field => field in saved.base)
    setErrors(found.fields)
    setOthers(
      Object.keys(found.fields).length === 0 && found.others.length === 0 ? [errorText(error)] : found.others,
    )
    setAttempts(count => count + 1)
    return false
  }

  async function mergeWith(current: R, from: Saved<V, R>): Promise<boolean> {
    // With what was typed during the request.
    const mine = valuesNow.current
    const saved = { record: current, base: toValues(current) }
    const { split } = mergeParts
    const found = compareVersions(split(from.base), split(mine), split(saved.base), options.mergeText)
    // Fields without a label cannot be decided by the user: the saved version is kept.
    const merge = { ...found, differences: found.differences.filter(({ field }) => field in shownLabels) }
    if (!options.mergeText || merge.differences.some(({ choice }) => choice === null)) {
      setTheirs({ record: current, merge })
      return false
    }
    const isSaved = await saveMerged(joined(saved.base, merge), saved)
    if (isSaved)
      notify.info(t('form.merged'), {
        permanent: true,
        action: { label: t('form.merged_undo'), run: () => setValues(mine) },
      })
    return isSaved
  }

  function joined(base: V, merge: Merge): V {
    return mergeParts.join(mergedValues(mergeParts.split(base), merge))
  }

  async function saveMerged(merged: V, from: Saved<V, R>): Promise<boolean> {
    setSaved(from)
    setValues(merged)
    valuesNow.current = merged
    return send(merged, from)
  }

  function conflictOf(open: NonNullable<typeof theirs>): FormConflict {
    return {
      differences: open.merge.differences,
      choose: (chosen, side) =>
        setTheirs({
          ...open,
          merge: {
            ...open.merge,
            differences: open.merge.differences.map(difference =>
              chosen === null || difference === chosen ? { ...difference, choice: side } : difference,
            ),
          },
        }),
      save: async () => {
        const base = toValues(open.record)
        await saveMerged(joined(base, open.merge), { record: open.record, base })
      },
      cancel: () => setTheirs(null),
    }
  }

  return {
    values,
    set: change,
    field: name => ({
      id: `${formId}-${name}`,
      name,
      label: labels[name] ?? name,
      isRequired: isMarked(name, entries(values), required),
      error: errors[name],
      isDisabled: isSaving,
      value: values[name],
      set: value => change(name, value),
    }),
    isNew: recordKey === null,
    isDirty,
    isSaving,
    isDirtyNow: () => dirtyNow.current,
    problems: listProblems(errors, others, missing, labels, t),
    attempts,
    labels: shownLabels,
    idOf: field => `${formId}-${field}`,
    submit,
    reset: () => {
      dirtyNow.current = false
      draft.discard()
      setValues(saved.base)
      setErrors({})
      setOthers([])
      setMissing([])
    },
    draft: draft.offered && {
      at: draft.offered.at,
      isStale: draft.offered.revision !== (revisionOf(saved.record) ?? null),
      restore: () => {
        setValues(current => ({ ...current, ...onlyFields(draft.offered?.changed ?? {}, saved.base) }))
        draft.dismiss()
      },
      discard: draft.discard,
    },
    conflict: theirs && conflictOf(theirs),
  }
}

/** Compares whole fields. */
function wholeFields<V extends object>(): MergeParts<V> {
  return { split: entries, join: parts => parts as V, labels: {} }
}

interface Faults {
  fields: Record<string, string>
  /** For one message that lists all (R276). */
  missing: MissingField[]
}

function findFaults<V extends object, R extends object>(
  values: V,
  required: readonly RequiredField[],
  options: RecordFormOptions<V, R>,
  t: Translate,
): Faults {
  const labels: Readonly<Record<string, string | undefined>> = options.labels
  const missing = missingFields(entries(values), required, labels, t('or'))
  const fields: Record<string, string> = {}
  for (const entry of missing) {
    for (const field of entry.fields) {
      fields[field] =
        entry.fields.length === 1 ? t('form.is_missing') : t('form.missing', { fields: entry.label })
    }
  }
  for (const [field, message] of Object.entries(options.validate?.(values) ?? {})) {
    if (typeof message === 'string' && fields[field] === undefined) fields[field] = message
  }
  return { fields, missing }
}

function listProblems(
  errors: Readonly<Record<string, string>>,
  others: readonly string[],
  missing: readonly MissingField[],
  labels: Readonly<Record<string, string | undefined>>,
  t: Translate,
): FormProblem[] {
  const order = Object.keys(labels)
  const byField = Object.entries(errors)
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .filter(([field]) => !missing.some(({ fields }) => fields.includes(field)))
    .map(([field, message]) => ({ field, message: `${labels[field] ?? field}: ${message}` }))
  const summary =
    missing.length === 0
      ? []
      : [
          {
            field: missing[0]?.fields[0] ?? null,
            message: t('form.missing', { fields: missing.map(({ label }) => label).join(', ') }),
          },
        ]
  return [...others.map(message => ({ field: null, message })), ...summary, ...byField]
}

interface DraftKeeping {
  key: string
  /** Null: nothing to store. */
  changed: Record<string, unknown> | null
  revision: number | null
}

/** Offers a stored draft, and stores current changes after a pause in typing and on leaving. */
function useDraft({ key, changed, revision }: DraftKeeping) {
  const [offered, setOffered] = useState<Draft | null>(() => readDraft(key))
  const latest: RefObject<DraftKeeping> = useRef({ key, changed, revision })
  const text = changed && JSON.stringify(changed)

  useEffect(() => {
    latest.current = { key, changed, revision }
    if (text === null) return undefined
    const timer = setTimeout(keep, draftDelay)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `text` stands for `changed`
  }, [key, text, revision])

  useEffect(() => {
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- reads the latest through the ref
  }, [])

  function keep(): void {
    const { key: at, changed: what, revision: of } = latest.current
    if (what) writeDraft(at, what, of)
  }

  return {
    offered,
    dismiss: () => setOffered(null),
    discard: () => {
      latest.current = { ...latest.current, changed: null }
      removeDraft(key)
      setOffered(null)
    },
  }
}

function isNewer(record: object, known: object | null): boolean {
  if (known === null) return true
  return (revisionOf(record) ?? 0) > (revisionOf(known) ?? 0)
}

function revisionOf(record: object | null): number | undefined {
  if (!record || !('revision' in record)) return undefined
  return typeof record.revision === 'number' ? record.revision : undefined
}

function entries(values: object): Record<string, unknown> {
  return { ...values }
}

function withoutFields<T extends object>(
  values: T,
  fields: readonly string[],
): { [field: string]: T[keyof T] } {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)))
}

function onlyFields(values: Record<string, unknown>, known: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => field in known))
}
