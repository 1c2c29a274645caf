import { ApiError } from '@emma/client/api-error.ts'

/**
 * The server's faults of rules (`query.rules.0.value`), told without their places: rules have no numbers people could
 * look up, and the wording names field and value.
 */
export function withoutPlaces(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.fields.some(({ field }) => field.startsWith('query.')))
    return error
  const ofRules = error.fields.filter(({ field }) => field.startsWith('query.'))
  const others = error.fields.filter(field => !ofRules.includes(field))
  const told = [...new Set(ofRules.map(({ message }) => message))].join('; ')
  const { message, status, code, url, body } = error
  return new ApiError(message, {
    status,
    code,
    url,
    body,
    fields: [...others, { field: 'query', message: told }],
  })
}
