a table.watch {"table":"$1","check":true}
a table.legal {"table":"$1"}
~
a table.move {"table":"$1","decision":"$d","move":"$m"}
a table.move {"table":"$1","decision":"$d","move":"$m"}
b table.legal {"table":"$1"}
~
b table.move {"table":"$1","decision":"$d","move":"$m"}
~
#
b table.legal {"table":"$1"}
~
b table.move {"table":"$1","decision":"$d","move":"$m"}
%
b table.move {"table":"$1","decision":"$d","move":"$m"}
~
