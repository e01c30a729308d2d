-- The words of a text as searches of gigs see them. PostgreSQL refuses very long ones.
create function search_words(content text) returns text[] immutable strict parallel safe language sql
  return array(
    select distinct left(word, 40)
    from regexp_split_to_table(folded(content) collate pg_unicode_fast, '[^[:alnum:]]+') as word where word <> '');

-- One key for every spelling of a category: "Social Media" and "social-media".
create function category_key(category text) returns text immutable strict parallel safe language sql
  return '#' || regexp_replace(folded(category) collate pg_unicode_fast, '[^[:alnum:]]+', '_', 'g');

-- Prices in steps of a factor of about 1.6, so that an index of words also finds ranges of prices.
create function price_step(price bigint) returns integer immutable strict parallel safe language sql
  return floor(log(greatest(price, 1)::float8) * 5)::integer;

create function gig_search(title text, description text, categories text[], currency currency, price bigint)
  returns tsvector immutable strict parallel safe language sql
  return array_to_tsvector(
    search_words(title || ' ' || left(description, 2000) || ' ' || array_to_string(categories, ' '))
    || array(select category_key(category) from unnest(categories) as category)
    || ('$' || currency || price_step(price)));

-- The condition of a search. Each word finds words that begin with it, as Turkish adds endings; words of one or two
-- letters find themselves. Null: everything.
create function gig_query(search text, category text, of_currency currency, lowest bigint, highest bigint)
  returns tsquery immutable parallel safe language sql
  return (
    select string_agg(part, ' & ')::tsquery from (
      select '''' || word || case when length(word) < 3 then '''' else ''':*' end as part
      from unnest(search_words(search)) as word
      union all select '''' || category_key(category) || ''''
      union all select '(' || string_agg('''$' || of_currency || step || '''', ' | ') || ')'
      from generate_series(price_step(lowest), price_step(highest)) as step
    ) as parts);

alter table gig
  -- Beside the row (main): to fetch it from elsewhere takes longer than to compare it.
  add column search tsvector storage main
    generated always as (gig_search(title, description, categories, currency, price)) stored,
  -- Thousandths of stars. Five ratings of four stars are added, so that a single rating does not come first.
  add column rating_score integer generated always as ((rating_sum + 20) * 1000 / (rating_count + 5)) stored;

create index gig_search on gig using gin (search) with (fastupdate = off)
  where status = 'published' and taken_down_at is null and owner_id is not null;
create index gig_newest on gig (published_at, id)
  where status = 'published' and taken_down_at is null and owner_id is not null;
create index gig_by_price on gig (currency, price, id)
  where status = 'published' and taken_down_at is null and owner_id is not null;
create index gig_by_rating on gig (rating_score, id)
  where status = 'published' and taken_down_at is null and owner_id is not null;
create index gig_owner on gig (owner_id) include (rating_count, rating_sum);
create index gig_order_completed on gig_order (seller_id) where status = 'completed';
