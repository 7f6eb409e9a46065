import type { TestType } from './tables.ts';

/** Aggregates by result type. Their arguments are expressions over single rows. */
export const aggregateRules: Partial<Record<TestType, readonly string[]>> = {
  bigint: [
    'count(*)',
    'count(‹bigint›)',
    'count(‹text›)',
    'count(distinct ‹bigint|text|double|timestamp|boolean›)',
    'sum(‹i4›)',
    'min(‹bigint›)',
    'max(‹bigint›)',
    'count(*) filter (where ‹boolean›)',
    'max(‹bigint›) filter (where ‹boolean›)',
    '‹bit_and|bit_or›(‹bigint›)',
    'percentile_disc(‹0.5|0|1|0.25›) within group (order by ‹bigint›)',
    'mode() within group (order by ‹bigint›)',
    '(array_agg(‹bigint@1› order by ‹bigint@1› ‹|desc›))[1]',
  ],
  i4: ['min(‹i4›)', 'max(‹i4›)'],
  double: [
    'sum(‹quarters›)',
    'avg(‹quarters›)',
    'avg(‹quarters›) filter (where ‹boolean›)',
    'min(‹double›)',
    'max(‹double›)',
    '‹stddev|stddev_samp|stddev_pop|variance|var_pop|var_samp›(‹quarters›)',
    'percentile_cont(‹0.5|0|1|0.25|0.9›) within group (order by ‹quarters›)',
    '‹corr|covar_pop|covar_samp|regr_slope›(‹quarters@1›, ‹quarters@1›)',
    // Rounded, because a result near 0 consists of the error of the sums. The offset makes values halfway between two
    // rare.
    'round((‹corr|covar_pop|covar_samp|regr_slope›(‹quarters›, ‹quarters›) + 1.234567e-7)::numeric, 6)::double precision',
    'sum(distinct ‹quarters›)',
  ],
  numeric: [
    'sum(‹bigint›)',
    'avg(‹bigint›)',
    'avg(‹i4›)',
    'sum(‹numeric›)',
    'avg(‹numeric›)',
    'min(‹numeric›)',
    'max(‹numeric›)',
    'sum(distinct ‹bigint›)',
    'sum(‹bigint›) filter (where ‹boolean›)',
    '‹stddev|variance|var_pop|stddev_pop›(‹i4›)',
  ],
  text: [
    "string_agg(‹text@1›::text, ',' order by ‹text@1›::text ‹|desc|desc nulls last›)",
    "string_agg(distinct ‹text@1›::text, ‹','|''› order by ‹text@1›::text)",
    'min(‹text›)',
    'max(‹text›)',
    'max(‹text›) filter (where ‹boolean›)',
    'mode() within group (order by ‹text›::text)',
  ],
  boolean: [
    'bool_and(‹boolean›)',
    'bool_or(‹boolean›)',
    'every(‹boolean›)',
    'bool_or(‹boolean›) filter (where ‹boolean›)',
  ],
  timestamp: ['min(‹timestamp›)', 'max(‹timestamp›)'],
  date: ['min(‹date›)', 'max(‹date›)'],
  interval: ['‹sum|avg›(‹interval›)', 'justify_interval(‹min|max›(‹interval›))'],
  numbers: [
    'array_agg(‹bigint@1› order by ‹bigint@1› ‹|desc›)',
    'array_agg(distinct ‹bigint@1› order by ‹bigint@1›)',
  ],
  texts: ['array_agg(‹text@1›::text order by ‹text@1›::text ‹|nulls first›)'],
};

/** Window functions. ‹by› stands for sort columns with ties, ‹each› for sort columns without ties. */
export const windowRules: Partial<Record<TestType, readonly string[]>> = {
  bigint: [
    'row_number() over (‹partition›order by ‹each›)',
    '‹rank|dense_rank›() over (‹partition›order by ‹by›)',
    'count(*) over (‹partition›)',
    'count(‹text›) over (‹partition›order by ‹by›)',
    'lag(‹bigint›) over (‹partition›order by ‹each›)',
    'lead(‹bigint›, ‹1..3›, ‹0..9›) over (‹partition›order by ‹each›)',
    'first_value(‹bigint›) over (‹partition›order by ‹each›)',
    'max(‹bigint›) over (‹partition›order by ‹each› rows between ‹0..2› preceding and ‹0..2› following)',
    'nth_value(‹bigint›, ‹1..3›) over (‹partition›order by ‹each› rows between unbounded preceding and unbounded following)',
    'sum(‹i4›) over (‹partition›order by ‹by›)',
  ],
  i4: ['ntile(‹1..4›) over (‹partition›order by ‹each›)'],
  numeric: [
    'sum(‹bigint›) over (‹partition›)',
    'avg(‹bigint›) over (‹partition›order by ‹by›)',
    'sum(‹bigint›) over (‹partition›order by ‹each› rows unbounded preceding)',
    'sum(‹bigint›) filter (where ‹boolean›) over (‹partition›)',
  ],
  double: [
    'sum(‹quarters›) over (‹partition›order by ‹by›)',
    '‹percent_rank|cume_dist›() over (‹partition›order by ‹by›)',
    'min(‹double›) over (‹partition›)',
  ],
  text: [
    'last_value(‹text›::text) over (‹partition›order by ‹each›)',
    'lag(‹text›::text, 1) over (‹partition›order by ‹each›)',
    'min(‹text›) over (‹partition›order by ‹by›)',
  ],
};
