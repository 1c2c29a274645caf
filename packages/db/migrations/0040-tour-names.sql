-- A tour is called by a name in each language; `name` is the English one and stands in for the others.
ALTER TABLE guided_tour
  ADD name_de text,
  ADD name_es text;

UPDATE guided_tour SET name = 'First campaign', name_de = 'Erste Kampagne', name_es = 'Primera campaña'
WHERE name = 'First campaign · Erste Kampagne · Primera campaña';
