/** Whether these pages stand on a web host without a house: then there is no sign-in, no table and no API. */
export const isSite = document.documentElement.dataset.site !== undefined;
