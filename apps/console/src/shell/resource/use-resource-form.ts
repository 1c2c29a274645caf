import type { RecordOf, Values } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { type Initial, initialValues } from '@emma/contract/resource-schemas.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import {
  type RecordForm,
  type RecordFormOptions,
  type RecordRemoval,
  useRecordForm,
} from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFieldLabels } from '../i18n/use-field-labels.ts'
import { useRights } from '../session/use-rights.ts'
import { keyOf, reloadRecord, removeRecord, restoreRecord, saveRecord } from './record-calls.ts'
import { labelOf } from './record-label.ts'
import { formPath, useListPath, useScreen } from './use-screen.ts'

/** Values of a form by field; a choice or number may be null in a new record. */
export type FieldValues<R extends Resource, F extends keyof Initial<R> & string> = Pick<Initial<R>, F>

interface ResourceFormOptions<R extends Resource, F extends keyof Initial<R> & string, V extends object>
  extends Pick<RecordFormOptions<V, RecordOf<R>>, 'required' | 'validate' | 'mergeText' | 'mergeParts'> {
  /** Fields of the form, in the order of its inputs. */
  fields: readonly F[]
  /** Fields that are never written to drafts: passwords, keys. */
  secret?: readonly F[]
  /** Initial values of a new record, where they differ from the contract's defaults. */
  initial?: Partial<FieldValues<R, F>>
  /** Fixed values of a new record, e.g. the service it belongs to. */
  fixed?: Values<R>
  /** Converts field values to input values; `record` has the columns of its datasource as well. */
  toValues?: (values: FieldValues<R, F>, record: RecordOf<R> | null) => V
  /** Converts input values back to field values. */
  toBody?: (values: Partial<V>) => Values<R>
  /** Text key prefix of the labels; `{area}.{resource}` by default. */
  texts?: string
  /** Labels, if they are not in the texts. */
  labels?: Readonly<Record<keyof V & string, string>>
  /** Key of stored drafts; the resource's name by default. */
  name?: string
  /** Search parameters of the list. */
  listSearch?: Record<string, unknown>
  /** Name of the record in messages; its label by default. */
  nameOf?: (record: RecordOf<R>) => string
  /** Wraps the call that saves: to send more fields, to translate errors. */
  saving?: (send: (more?: Partial<Initial<R>>) => Promise<RecordOf<R>>, values: V) => Promise<RecordOf<R>>
  /** Page after creation; the list by default. `stay`: `onSaved` shows the message and navigates. */
  afterCreate?: 'record' | 'stay'
  /** Called after saving, in addition to message and navigation. */
  onSaved?: (record: RecordOf<R>) => void
  isRemovable?: (record: RecordOf<R>) => boolean
  isRestorable?: (record: RecordOf<R>) => boolean
}

/**
 * Form of a resource's record; `record` is null for a new one. Initial values, labels, required fields, saving with the
 * revision, conflicts, deletion and the list path are derived from the contract and the route.
 *
 * `const form = useResourceForm(mailclass, record, { fields: ['name', 'type'] })`
 */
export function useResourceForm<
  R extends Resource,
  F extends keyof Initial<R> & string,
  V extends object = FieldValues<R, F>,
>(
  resource: R,
  record: RecordOf<R> | null,
  options: ResourceFormOptions<R, F, V>,
): RecordForm<V> & { removal: RecordRemoval | undefined } {
  const { fields, initial, fixed, toValues, toBody, nameOf = row => labelOf(resource, row) } = options
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { path } = useScreen()
  const listPath = useListPath()
  const { mayDelete } = useRights(resource)
  const id = record && Number(keyOf(resource, record))
  const fieldLabels = useFieldLabels(resource, options.labels ? [] : fields, options.texts)
  const toList = () => void navigate({ to: listPath, search: options.listSearch ?? {} })
  const form = useRecordForm<V, RecordOf<R>>({
    resource: { name: options.name ?? resource.name, required: resource.required },
    recordKey: id,
    record,
    ...(id === null ? {} : { reload: () => reloadRecord(resource, id) }),
    ...(options.validate ? { validate: options.validate } : {}),
    ...(options.mergeText ? { mergeText: options.mergeText } : {}),
    ...(options.mergeParts ? { mergeParts: options.mergeParts } : {}),
    secret: (options.secret ?? []) as readonly string[] as readonly (keyof V & string)[],
    required: options.required ?? resource.required.create.filter(field => fields.some(one => one === field)),
    labels: options.labels ?? (fieldLabels as Record<keyof V & string, string>),
    toValues: row => {
      const values = valuesOf(resource, row, fields, initial)
      return toValues ? toValues(values, row) : (values as object as V)
    },
    save: (values, { changed, revision }) => {
      const body = (part: Partial<V>) => (toBody ? toBody(part) : (part as Values<R>))
      const send = (more?: Partial<Initial<R>>) =>
        saveRecord(
          resource,
          id,
          { ...body(values), ...fixed, ...more },
          { changed: { ...body(changed), ...more }, revision },
        )
      return options.saving ? options.saving(send, values) : send()
    },
    onSaved: saved => {
      if (id !== null || options.afterCreate !== 'stay')
        notify.success(t('action.saved', { name: nameOf(saved) }))
      if (id === null && options.afterCreate === undefined) toList()
      if (id === null && options.afterCreate === 'record')
        void navigate({ to: formPath(path, keyOf(resource, saved)), replace: true })
      options.onSaved?.(saved)
    },
  })
  const removal = record &&
    mayDelete &&
    options.isRemovable?.(record) !== false && {
      name: nameOf(record),
      run: () => removeRecord(resource, keyOf(resource, record)),
      ...(resource.deletedForEver || options.isRestorable?.(record) === false
        ? {}
        : { restore: () => restoreRecord(resource, keyOf(resource, record)) }),
      onRemoved: toList,
    }
  return { ...form, removal: removal || undefined }
}

/** A record's values by field, with the contract's defaults for missing ones. */
function valuesOf<R extends Resource, F extends keyof Initial<R> & string>(
  resource: R,
  record: RecordOf<R> | null,
  fields: readonly F[],
  initial: Partial<FieldValues<R, F>> = {},
): FieldValues<R, F> {
  const defaults = initialValues(resource)
  const from: object = record ?? initial
  const entries = fields.map(field => [field, Reflect.get(from, field) ?? defaults[field]])
  return Object.fromEntries(entries) as FieldValues<R, F>
}
