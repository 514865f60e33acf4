/** A teacher's reviews that count: how many, and the sum of their stars. */
export interface Rating {
  teacher_id: number;
  reviews: number;
  stars: number;
}

/** What is taken for granted of every teacher: so many reviews, each of four stars. */
export interface Prior {
  reviews: number;
}

const PRIOR_STARS = 4;

/** The mean as it is shown, with one decimal; null without reviews. */
export const meanOf = ({ reviews, stars }: Rating): number | null =>
  reviews > 0 ? Math.round((stars * 10) / reviews) / 10 : null;

/**
 * How far the Bayesian mean, which counts the prior's reviews too, is above that of the prior. It is 0 without reviews,
 * whatever the prior, and few reviews move it little.
 */
export const gainOf = ({ reviews, stars }: Rating, prior: Prior): number =>
  (stars - reviews * PRIOR_STARS) / (reviews + prior.reviews);
