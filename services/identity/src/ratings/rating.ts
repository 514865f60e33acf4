/** Number of a teacher's visible reviews, and the sum of their stars. */
export interface Rating {
  teacher_id: number;
  reviews: number;
  stars: number;
}

/** The Bayesian prior: every teacher starts with so many fictitious reviews of four stars. */
export interface Prior {
  reviews: number;
}

const PRIOR_STARS = 4;

/** The displayed mean, with one decimal; null without reviews. */
export const meanOf = ({ reviews, stars }: Rating): number | null =>
  reviews > 0 ? Math.round((stars * 10) / reviews) / 10 : null;

/**
 * The Bayesian mean, which includes the prior's reviews, minus the prior's mean: 0 without reviews, whatever the prior,
 * and close to 0 with few.
 */
export const gainOf = ({ reviews, stars }: Rating, prior: Prior): number =>
  (stars - reviews * PRIOR_STARS) / (reviews + prior.reviews);
