/** Takes a table as it is. Its type has the names of the rows and not their texts, which would stand in the declarations. */
export const tableOf =
  <Row>() =>
  <Name extends string>(table: Readonly<Record<Name, Row>>) =>
    table;
