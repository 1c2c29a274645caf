export type CodeLanguage = 'html' | 'mjml' | 'css' | 'json' | 'text'
