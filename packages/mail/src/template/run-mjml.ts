/** A fault that MJML found in a component. */
export interface Finding {
  line: number
  message: string
}

export interface MjmlOutput {
  html: string
  errors: readonly Finding[]
}

/**
 * Runs MJML on a source without Liquid.
 * @param replaced components that are used instead of MJML's own of that name
 * @returns the error if MJML cannot read the source
 */
export async function runMjml(mjml: string, replaced: readonly unknown[] = []): Promise<MjmlOutput | Error> {
  // Loaded on demand: MJML takes a third of a second to load, and engines never compile it.
  const { default: mjml2html } = await import('mjml')
  const options = {
    ignoreIncludes: true,
    useMjmlConfigOptions: false,
    validationLevel: 'soft' as const,
    keepComments: true,
    presets: [{ components: replaced, dependencies: {} }],
  }
  try {
    return await mjml2html(mjml, options)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
