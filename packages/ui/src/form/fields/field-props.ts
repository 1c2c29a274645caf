import type { FieldBinding } from '../use-record-form.ts'

/** What all of Mantine's inputs take from a field. */
export function fieldProps(
  field: FieldBinding,
  { description, isDisabled }: { description?: string | undefined; isDisabled?: boolean | undefined },
) {
  return {
    id: field.id,
    name: field.name,
    label: field.label,
    description,
    withAsterisk: field.isRequired,
    'aria-required': field.isRequired || undefined,
    error: field.error,
    disabled: isDisabled === true || field.isDisabled,
  }
}
