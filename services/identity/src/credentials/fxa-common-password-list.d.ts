declare module 'fxa-common-password-list' {
  const list: {
    /** Whether it is one of the most used of at least eight characters; it is given in lower case. */
    test(password: string): boolean;
  };
  export default list;
}
