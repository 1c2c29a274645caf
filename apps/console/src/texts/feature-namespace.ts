/** The i18next namespace of all texts beyond the first ones: `fallbackNS` of the rest. */
export const featureNamespace = 'features'
