import type { RecordOf, Values } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { type Initial, initialValues } from '@emma/contract/resource-schemas.ts'
import {
  type RecordForm,
  type RecordFormOptions,
  type RecordRemoval,
  useRecordForm,
} from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import { useFieldLabels } from '../i18n/use-field-labels.ts'
import { keyOf, saveRecord } from './record-calls.ts'
import { labelOf } from './record-label.ts'
import { useRecordEdit } from './use-record-edit.ts'
import { useListPath } from './use-screen.ts'

type FieldValues<R extends Resource, F extends keyof Initial<R> & string> = Pick<Initial<R>, F>

interface ResourceFormOptions<R extends Resource, F extends keyof Initial<R> & string, V extends object>
  extends Pick<RecordFormOptions<V, RecordOf<R>>, 'required' | 'validate'> {
  /** Fields of the form, in the order of its inputs. */
  fields: readonly F[]
  /** Fields that are never written to drafts: passwords, keys. */
  secret?: readonly F[]
  /** Fixed values of a new record, e.g. the service it belongs to. */
  fixed?: Values<R>
  /** Converts field values to input values. */
  toValues?: (values: FieldValues<R, F>) => V
  /** Converts input values back to field values. */
  toBody?: (values: Partial<V>) => Values<R>
  /** Name of the record in messages; its label by default. */
  nameOf?: (record: RecordOf<R>) => string
  /** Called after saving, in addition to the message and the return to the list. */
  onSaved?: (record: RecordOf<R>) => void
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
  const { fields, fixed, toValues, toBody, nameOf = row => labelOf(resource, row) } = options
  const navigate = useNavigate()
  const path = useListPath()
  const id = record && Number(keyOf(resource, record))
  const edit = useRecordEdit(resource, { record, id, nameOf, toList: () => void navigate({ to: path }) })
  const form = useRecordForm<V, RecordOf<R>>({
    ...edit.options,
    ...(options.validate ? { validate: options.validate } : {}),
    secret: (options.secret ?? []) as readonly string[] as readonly (keyof V & string)[],
    required: options.required ?? resource.required.create.filter(field => fields.some(one => one === field)),
    labels: useFieldLabels(resource, fields) as Record<keyof V & string, string>,
    toValues: row => {
      const values = valuesOf(resource, row, fields)
      return toValues ? toValues(values) : (values as object as V)
    },
    save: (values, { changed, revision }) => {
      const body = (part: Partial<V>) => (toBody ? toBody(part) : (part as Values<R>))
      return saveRecord(resource, id, { ...body(values), ...fixed }, { changed: body(changed), revision })
    },
    onSaved: saved => {
      edit.options.onSaved(saved)
      options.onSaved?.(saved)
    },
  })
  return { ...form, removal: edit.removal }
}

/** A record's values by field, with the contract's defaults for missing ones. */
function valuesOf<R extends Resource, F extends keyof Initial<R> & string>(
  resource: R,
  record: RecordOf<R> | null,
  fields: readonly F[],
): FieldValues<R, F> {
  const initial = initialValues(resource)
  const entries = fields.map(field => [field, (record && Reflect.get(record, field)) ?? initial[field]])
  return Object.fromEntries(entries) as FieldValues<R, F>
}
