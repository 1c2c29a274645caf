/** The i18next namespace of the features' texts; `fallbackNS` of the initial namespace. */
export const featureNamespace = 'features'
