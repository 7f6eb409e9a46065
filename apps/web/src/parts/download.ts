/** Makes the browser download a file of this server without leaving the page. */
export const download = (path: string): void => {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
};
