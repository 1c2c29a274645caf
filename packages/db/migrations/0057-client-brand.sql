-- Brand of a client's emails (contract/src/client-brand.ts); null: the default.

ALTER TABLE client
  ADD COLUMN brand_color text,
  ADD COLUMN brand_text_color text,
  ADD COLUMN brand_background text,
  ADD COLUMN brand_button_color text,
  ADD COLUMN brand_button_text_color text,
  ADD COLUMN brand_font text,
  ADD COLUMN brand_heading_font text,
  ADD COLUMN brand_radius int CHECK (brand_radius BETWEEN 0 AND 50),
  ADD COLUMN brand_logo_url text,
  ADD COLUMN brand_socials jsonb NOT NULL DEFAULT '[]';
