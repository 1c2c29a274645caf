/** What templates read as `{{ brand.color }}`: texts, and lists of records with texts. */
export type BrandValues = Readonly<Record<string, string | readonly Readonly<Record<string, string>>[]>>
