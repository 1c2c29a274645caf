import type { FieldBinding } from '../use-record-form.ts'

/** Props of a Mantine input, from the field binding. */
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

/** `aria-required` for roles that support it (text boxes, not buttons and groups). */
export function ariaRequired(field: FieldBinding) {
  return { 'aria-required': field.isRequired || undefined }
}
