import { ApiError } from '@emma/client/api-error.ts'

/**
 * Merges the server's rule errors (`query.rules.0.value`) into one without paths: rules are not numbered on the screen,
 * and the messages name field and value.
 */
export function withoutPlaces(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.fields.some(({ field }) => field.startsWith('query.')))
    return error
  const ofRules = error.fields.filter(({ field }) => field.startsWith('query.'))
  const others = error.fields.filter(field => !ofRules.includes(field))
  const text = [...new Set(ofRules.map(({ message }) => message))].join('; ')
  const { message, status, code, url, body } = error
  return new ApiError(message, {
    status,
    code,
    url,
    body,
    fields: [...others, { field: 'query', message: text }],
  })
}
