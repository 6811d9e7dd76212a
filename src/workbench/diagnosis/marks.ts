/** The marks for invisible white space. All are in Latin-1, which every font has. */
export const whiteSpaceMarks: Readonly<Record<string, string>> = {
  '\n': '¶',
  '\r': '«',
  '\t': '»',
  ' ': '·',
};

export const legendOfMarks = '¶ line feed, « carriage return, » tab, · space';
