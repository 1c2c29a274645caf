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
    error: field.error,
    disabled: isDisabled === true || field.isDisabled,
  }
}

/** For inputs whose role knows the attribute (text boxes, not buttons and groups). */
export function ariaRequired(field: FieldBinding) {
  return { 'aria-required': field.isRequired || undefined }
}
