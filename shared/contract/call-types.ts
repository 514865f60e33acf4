/** The kinds of calls, each with a service (a price) of its name. Tables of calls and bookings check the same list. */
export const CALL_TYPES = ['video', 'audio'] as const;
